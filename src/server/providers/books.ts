/** From `since` until just before `until`. */
export type Period = { since: Date; until: Date }

/** A page of a provider's own list. */
export type BookPage<Row> = {
  rows: Row[]
  /** The provider's mark of the page after it, good for as long as somebody may want to go on; null at the end. */
  next: string | null
}
