/** null: unknown. */
export type SortValue = string | number | null

export type Direction = 'ascending' | 'descending'

/** A stable sort; rows without a value come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  direction: Direction,
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((left, right) => {
    const [a, b] = [valueOf(left), valueOf(right)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compareValues(a, b)
  })
}

/** Numbers within text sort as numbers: `Order 9` before `Order 10`. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
