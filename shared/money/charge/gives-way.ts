interface Places<Opening> {
  readonly most: number;
  readonly isPaid: (opening: Opening) => boolean;
  readonly from?: (opening: Opening) => string | undefined;
}

/**
 * Returns the opened charges to keep in a stored row, oldest first. While there are more than `most`, drops the oldest
 * unpaid charge from the address with the most unpaid charges. Paid charges are always kept.
 */
export function keepPlaces<Opening>(openings: readonly Opening[], places: Places<Opening>): readonly Opening[] {
  const { most, isPaid, from = () => undefined } = places;
  const unpaid = openings.length > most ? openings.filter((one) => !isPaid(one)) : [];
  const addresses = [...Map.groupBy(unpaid, from).values()];
  const [busiest] = addresses.toSorted((one, other) => other.length - one.length);
  if (!busiest) return openings;
  return keepPlaces(
    openings.filter((one) => one !== busiest[0]),
    places,
  );
}
