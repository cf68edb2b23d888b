"""A made-up city as the documents of CityBench: the repository, the listings of events, the ontologies.

made_up_city(…)  →  SensorRepository.n3, AarhusCulturalEvents.n3, …, as texts
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from laser_rdf.bench.citybench.made_up_city import City, Listed, Place, name_of
from laser_rdf.bench.citybench.vocabulary import CES, CT, CULTURE, LIBRARY, SAO, SERVICE, SSN, USER

TRAFFIC_CLASSES = ("EstimatedTime", "MeasureTime", "AvgSpeed", "VehicleCount", "CongestionLevel")
WEATHER_CLASSES = ("Temperature", "Humidity", "WindSpeed")
WEATHER_PLACE = Place(56.1, 10.1)
_FIRST_DAY = datetime(2014, 8, 1)
_OWLS = "http://www.daml.org/services/owl-s/1.2/"
_PREFIXES = {
    "": SERVICE,
    "ssn": SSN,
    "sao": SAO,
    "ct": CT,
    "ces": CES,
    "up": USER,
    "owls": _OWLS + "Service.owl#",
    "owlssc": _OWLS + "ServiceCategory.owl#",
    "owlssp": _OWLS + "ServiceParameter.owl#",
    "emvo": "http://sense.deri.ie/vocab/emvo#",
    "tl": "http://purl.org/NET/c4dm/timeline.owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_QUALITIES = ("Accuracy", "Latency", "Price", "Reliability", "Security")

CITY_ONTOLOGY = """\
ct:hasFirstNode a owl:ObjectProperty ; rdfs:range ct:Node ; rdfs:subPropertyOf ct:hasPlace .
ct:hasSecondNode a owl:ObjectProperty ; rdfs:range ct:Node ; rdfs:subPropertyOf ct:hasPlace .
ct:hasPlace a owl:ObjectProperty ; rdfs:range ct:Place .
ct:Node a owl:Class ; rdfs:subClassOf ct:Place .
ct:Street a owl:Class ; rdfs:subClassOf ct:Place .
ct:Place a owl:Class ; rdfs:subClassOf ces:Context .
ct:CongestionLevel a owl:Class ; rdfs:subClassOf ssn:Property .
ct:ParkingVacancy a owl:Class ; rdfs:subClassOf ssn:Property .
"""
CES_ONTOLOGY = """\
ces:PrimitiveEventService a owl:Class ; rdfs:subClassOf ces:EventService .
ces:ComplexEventService a owl:Class ; rdfs:subClassOf ces:EventService .
ces:hasAccuracy a owl:ObjectProperty ; rdfs:subPropertyOf ces:hasNFP ; rdfs:domain ces:EventProfile .
ces:hasLatency a owl:ObjectProperty ; rdfs:subPropertyOf ces:hasNFP ; rdfs:domain ces:EventProfile .
ces:hasPrice a owl:ObjectProperty ; rdfs:subPropertyOf ces:hasNFP ; rdfs:domain ces:EventProfile .
ces:hasNFP a owl:ObjectProperty ; rdfs:range ces:NFP .
"""
SSN_ONTOLOGY = """\
ssn:observes a owl:ObjectProperty ; rdfs:domain ssn:Sensor ; rdfs:range ssn:Property .
ssn:observedBy a owl:ObjectProperty ; rdfs:domain ssn:Observation ; rdfs:range ssn:Sensor .
ssn:observedProperty a owl:ObjectProperty ; rdfs:domain ssn:Observation ; rdfs:range ssn:Property .
ssn:featureOfInterest a owl:ObjectProperty ; rdfs:range ssn:FeatureOfInterest .
ssn:isPropertyOf a owl:ObjectProperty ; rdfs:domain ssn:Property ; rdfs:range ssn:FeatureOfInterest .
ssn:Observation a owl:Class ; rdfs:subClassOf ssn:Situation .
ssn:Sensor a owl:Class ; rdfs:subClassOf ssn:ObservingDevice .
"""


def document(statements: str | Iterable[str]) -> str:
    """Statements with the prefixes above them.

    >>> document("ct:Node a owl:Class .").splitlines()[-1]
    'ct:Node a owl:Class .'
    """
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in _PREFIXES.items())
    text = statements if isinstance(statements, str) else "".join(statements)
    return f"{prefixes}\n{text}"


def repository(city: City, seed: int) -> Iterator[str]:
    """Every service, what it observes, where that is, and how good it says it is."""
    chance = random.Random(seed)  # noqa: S311 - data, not a secret
    for road in city.roads:
        name = f"AarhusTrafficData{road.report}"
        yield from _service(name, "traffic_report", TRAFFIC_CLASSES, road.start, road.end, chance)
    for area, place in city.areas.items():
        yield from _service(f"AarhusPollutionData{area}", "air_pollution", ("API",), place, place, chance)
    for number, (park, place) in enumerate(city.parks.items(), 1):
        yield from _parking(f"AarhusParkingData{park}", number, place)
    yield from _service(
        "AarhusWeatherData0", "weather_report", WEATHER_CLASSES, WEATHER_PLACE, WEATHER_PLACE, chance
    )
    yield ":UserLocationService a ces:PrimitiveEventService ; ssn:observes :locationProperty .\n"
    yield ":locationProperty a ct:Location ; ssn:isPropertyOf up:user-007 .\n"


def listing(events: Iterable[Listed], base: str) -> Iterator[str]:
    """Events as observations of what happens at a spot."""
    for event in events:
        begins = (_FIRST_DAY + timedelta(hours=event.hour)).isoformat()
        yield (
            f"<{base}context_{event.key}> a sao:FeatureOfInterest ; ct:hasFirstNode [\n"
            f"    a ct:Node ; ct:hasLatitude {event.place.latitude} ;\n"
            f"    ct:hasLongitude {event.place.longitude} ;\n"
            f'    ct:hasNodeName "{event.spot}" ] .\n'
            f"<{base}observations_point_{event.key}> a ssn:Observation , sao:Point ;\n"
            f'    sao:time [ a tl:Instant ; tl:at "{begins}"^^xsd:dateTime ] ;\n'
            f'    sao:value "Title: {event.title} Price: 0" ;\n'
            f"    ssn:featureOfInterest <{base}context_{event.key}> .\n"
        )


def documents(city: City, seed: int) -> dict[str, str]:
    """The texts of all documents, by their places in the directory."""
    return {
        "dataset/SensorRepository.n3": document(repository(city, seed)),
        "dataset/AarhusCulturalEvents.n3": document(listing(city.culture, CULTURE)),
        "dataset/AarhusLibraryEvents.n3": document(listing(city.library, LIBRARY)),
        "ontology/city.n3": document(CITY_ONTOLOGY),
        "ontology/ces.n3": document(CES_ONTOLOGY),
        "ontology/ssn.n3": document(SSN_ONTOLOGY),
    }


def _service(
    name: str, category: str, classes: tuple[str, ...], start: Place, end: Place, chance: random.Random
) -> Iterator[str]:
    foi = f":FoI-{name_of('FoI', name)}"
    properties = {of_class: f":Property-{name_of(name, of_class)}" for of_class in classes}
    yield f":{name} a ssn:Sensor , ces:PrimitiveEventService ;\n"
    yield f"    ssn:observes {' , '.join(properties.values())} ; owls:presents :{name}-Profile ;\n"
    yield f"    owls:supports [ a ces:HttpGrounding ; ces:httpService :{name} ] .\n"
    for of_class, node in properties.items():
        yield f"{node} a ct:{of_class} ; ssn:isPropertyOf {foi} .\n"
    yield f"{foi} a ssn:FeatureOfInterest ;\n"
    yield f"    ct:hasStartLatitude {_double(start.latitude)} ;\n"
    yield f"    ct:hasStartLongitude {_double(start.longitude)} ;\n"
    yield f"    ct:hasEndLatitude {_double(end.latitude)} ; ct:hasEndLongitude {_double(end.longitude)} .\n"
    yield f":{name}-Profile a ces:EventProfile ; owlssc:serviceCategory [\n"
    yield f'    a owlssc:ServiceCategory ; owlssc:serviceCategoryName "{category}" ]'
    for quality in _QUALITIES:
        value = _double(round(chance.random(), 6))
        yield f" ;\n    ces:has{quality} [ a ces:{quality} ; owlssp:serviceParameterName "
        yield f'"{quality}" ; owlssp:sParameter [ emvo:hasQuantityValue {value} ] ]'
    yield " .\n"


def _parking(name: str, number: int, place: Place) -> Iterator[str]:
    yield f":{name} a ces:PrimitiveEventService ; ssn:observes :parkingproperty-{number} .\n"
    yield f":parkingproperty-{number} a ct:ParkingVacancy ; ssn:isPropertyOf :FoI-parking-{number} .\n"
    yield f":FoI-parking-{number} a ssn:FeatureOfInterest ;\n"
    yield f"    ct:hasStartLatitude {_double(place.latitude)} ;\n"
    yield f"    ct:hasStartLongitude {_double(place.longitude)} .\n"


def _double(value: float) -> str:
    return f'"{value}"^^xsd:double'
