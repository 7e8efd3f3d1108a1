/** An opening that has a place in a row. */
interface Opening {
  /** The hashed address that it came from; unset where that is not known. */
  readonly from?: string | undefined;
}

/**
 * The openings, oldest first, that keep their places where at most `most` have one. What nobody paid gives way: the oldest unpaid opening of
 * the address that has most of them, until the rest fits. Paid ones stay, also where they alone are more than `most`.
 */
export function keepPlaces<One extends Opening>(
  openings: readonly One[],
  most: number,
  isPaid: (opening: One) => boolean,
): readonly One[] {
  const unpaid = openings.length > most ? openings.filter((one) => !isPaid(one)) : [];
  const [busiest] = [...Map.groupBy(unpaid, ({ from }) => from).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const oldest = busiest?.[0];
  return oldest === undefined
    ? openings
    : keepPlaces(
        openings.filter((one) => one !== oldest),
        most,
        isPaid,
      );
}
