/** A programmer's mistake, never a shopper's: ends the request as a 500 and is logged with its stack. */
export class Bug extends Error {
  override name = 'Bug'
}

export function assert(condition: unknown, fact: string): asserts condition {
  if (!condition) throw new Bug(fact)
}
