"""Units of money and of measures in English and French, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

_MONEY = {
    "EUR": "€ eur euro euros",
    "USD": "$ usd dollar dollars",
    "GBP": "£ gbp pound pounds quid",
    "livre": "livre livres",
    "FRF": "franc francs fr frs ff",
    "CHF": "chf",
    "JPY": "¥ jpy yen yens",
    "RUB": "₽ rub rouble roubles ruble rubles",
    "guinea": "guinea guineas guinee guinees",
    "crown": "crown crowns couronne couronnes",
    "shilling": "shilling shillings schilling schillings",
    "penny": "penny pence",
    "farthing": "farthing farthings",
    "centime": "centime centimes",
    "cent": "cents",
    "sou": "sou sous",
    "ecu": "ecu ecus",
    "louis": "louis",
    "florin": "florin florins guilder guilders gulden",
    "mark": "mark marks reichsmark reichsmarks",
    "lira": "lira lire lires",
    "peseta": "peseta pesetas",
    "kr": "krone kroner kronor krona",
}
_MEASURES = {
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "in": "inch inches pouce pouces",
    "ft": "ft foot feet",
    "pied": "pied pieds",
    "yd": "yard yards",
    "fathom": "fathom fathoms brasse brasses",
    "mi": "mile miles mille_marin",
    "league": "league leagues",
    "lieue": "lieue lieues",
    "toise": "toise toises",
    "m2": "m2 m²",
    "m3": "m3 m³",
    "ha": "ha hectare hectares",
    "acre": "acre acres",
    "arpent": "arpent arpents",
    "are": "ares",
    "g": "g gr gramme grammes gram grams",
    "kg": "kg kilo kilos kilogramme kilogrammes kilogram kilograms",
    "quintal": "quintal quintaux quintals",
    "t": "t ton tons tonne tonnes tonneau tonneaux",
    "cwt": "cwt hundredweight hundredweights",
    "lb": "lb lbs",
    "oz": "oz ounce ounces once onces",
    "stone": "stone",
    "ml": "ml",
    "cl": "cl",
    "l": "l litre litres liter liters",
    "hl": "hl hectolitre hectolitres hectoliter hectoliters",
    "pint": "pint pints pinte pintes",
    "quart": "quart quarts",
    "gallon": "gallon gallons",
    "bushel": "bushel bushels boisseau boisseaux",
    "sec": "second seconds seconde secondes",
    "min": "min minute minutes",
    "h": "hour hours heure heures",
    "day": "day days jour jours",
    "week": "week weeks semaine semaines",
    "fortnight": "fortnight fortnights",
    "month": "month months mois",
    "year": "year years an ans annee annees",
    "%": "% percent pourcent",
    "°C": "°c",
    "°F": "°f",
    "knot": "knot knots noeud noeuds",
    "hp": "hp horsepower cv",
    "kW": "kw",
    "kWh": "kwh",
}


def _names(table: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", " "): unit for unit, names in table.items() for name in names.split()}


MONEY = frozenset(_MONEY)
UNITS = _names(_MONEY) | _names(_MEASURES)  # folded name -> unit

# Smaller units that may follow a larger one in the same amount: the larger unit, and how many of it one smaller unit
# is.
PARTS: Mapping[tuple[str, str], tuple[str, Decimal, Decimal]] = {
    ("GBP", "shilling"): ("GBP", Decimal(1), Decimal("0.05")),
    ("GBP", "penny"): ("GBP", Decimal(1), Decimal(1) / 240),
    ("shilling", "penny"): ("shilling", Decimal(1), Decimal(1) / 12),
    ("livre", "sou"): ("livre", Decimal(1), Decimal("0.05")),
    ("FRF", "centime"): ("FRF", Decimal(1), Decimal("0.01")),
    ("CHF", "centime"): ("CHF", Decimal(1), Decimal("0.01")),
    ("EUR", "centime"): ("EUR", Decimal(1), Decimal("0.01")),
    ("EUR", "cent"): ("EUR", Decimal(1), Decimal("0.01")),
    ("USD", "cent"): ("USD", Decimal(1), Decimal("0.01")),
    ("ft", "in"): ("in", Decimal(12), Decimal(1)),
    ("pied", "in"): ("in", Decimal(12), Decimal(1)),
    ("lb", "oz"): ("oz", Decimal(16), Decimal(1)),
    ("h", "min"): ("min", Decimal(60), Decimal(1)),
    ("year", "month"): ("month", Decimal(12), Decimal(1)),
}
# Units for which a question may use another name.
_ALIKE = {"livre": "GBP", "pied": "ft", "lieue": "league"}


def same_unit(unit: str, other_unit: str) -> bool:
    """Whether two units may be the same one."""
    return _ALIKE.get(unit, unit) == _ALIKE.get(other_unit, other_unit)
