interface Places<Opening> {
  readonly most: number;
  readonly isPaid: (opening: Opening) => boolean;
  /** The hashed address that an opening came from; undefined where that is not known. */
  readonly from?: (opening: Opening) => string | undefined;
}

/**
 * The openings, oldest first, that keep their places in a row. What nobody paid gives way: the oldest unpaid opening of the address that has most of
 * them, until the rest fits. Paid ones stay, also where they alone are more than `most`.
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
