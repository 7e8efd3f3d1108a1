/**
 * A state machine as data: the possible previous states of each state. Each `states.ts` contains such a table. DynamoDB
 * conditions are derived from it, so a state need not be read before it is written.
 */
export type Transitions<State extends string> = Readonly<Partial<Record<State, readonly State[]>>>;

/**
 * The condition on `state` for a transition to `to`. A missing item counts as `unwritten`, if the state machine has
 * that state.
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
