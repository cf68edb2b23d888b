"""The names of CityBench's world, as terms: services, what they observe, and the values they give."""

from __future__ import annotations

import pyoxigraph as ox

SSN = "http://purl.oclc.org/NET/ssnx/ssn#"
SAO = "http://purl.oclc.org/NET/sao/"
CT = "http://www.insight-centre.org/citytraffic#"
CES = "http://www.insight-centre.org/ces#"
SERVICE = "http://www.insight-centre.org/dataset/SampleEventService#"
USER = "http://www.ict-citypulse.eu/ontologies/userprofile#"
CULTURE = "http://iot.ee.surrey.ac.uk/citypulse/datasets/aarhusculturalevents/culturalEvents_aarhus#"
LIBRARY = "http://iot.ee.surrey.ac.uk/citypulse/datasets/library/libraryEvents_aarhus#"

TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
OBSERVATION = ox.NamedNode(SSN + "Observation")
OBSERVES = ox.NamedNode(SSN + "observes")
OBSERVED_BY = ox.NamedNode(SSN + "observedBy")
OBSERVED_PROPERTY = ox.NamedNode(SSN + "observedProperty")
HAS_VALUE = ox.NamedNode(SAO + "hasValue")
HAS_LATITUDE = ox.NamedNode(CT + "hasLatitude")
HAS_LONGITUDE = ox.NamedNode(CT + "hasLongitude")
