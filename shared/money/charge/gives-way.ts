interface Places<Opening> {
  readonly most: number;
  readonly isPaid: (opening: Opening) => boolean;
  readonly from?: (opening: Opening) => string | undefined;
}

/**
 * The openings that keep their place in a row, oldest first. While there are too many, the oldest unpaid opening of the
 * busiest address loses its place. Paid openings always stay.
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
