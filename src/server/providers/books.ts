/** From `since` until just before `until`. */
export type Period = { since: Date; until: Date }

/** A page of a provider's own list. */
export type BookPage<Row> = {
  rows: Row[]
  /** The cursor of the next page, which does not expire; null on the last page. */
  next: string | null
}
