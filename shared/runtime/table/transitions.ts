/**
 * A state machine: the possible previous states of each state. DynamoDB conditions are derived from it, so states need
 * not be read before a change.
 */
export type Transitions<State extends string> = Readonly<Partial<Record<State, readonly State[]>>>;

/** Returns the condition on `state` for a transition to `to`. A missing item is in the `unwritten` state, if given. */
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
