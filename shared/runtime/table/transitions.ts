/**
 * A state machine as data: for each state, the states that may precede it. Each `states.ts` holds such a table.
 * DynamoDB conditions are derived from it, so that no state is read first and written afterwards.
 */
export type Transitions<State extends string> = Readonly<Partial<Record<State, readonly State[]>>>;

/**
 * The condition for a move to `to`, over the attribute `state`. An absent item counts as being in the `unwritten`
 * state, if the machine has one.
 */
export function mayBecome<State extends string>(transitions: Transitions<State>, to: State, unwritten?: State) {
  const from = transitions[to] ?? [];
  const values = Object.fromEntries(from.map((state) => [`:from_${state}`, state]));
  const known = `#state IN (${Object.keys(values).join(', ')})`;
  return {
    condition: unwritten && from.includes(unwritten) ? `(attribute_not_exists(#state) OR ${known})` : known,
    names: { '#state': 'state' },
    values,
  };
}
