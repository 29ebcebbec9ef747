import { CellProblem, type Row } from './cells.ts'
import type { ImportItem, ImportProblem } from './former-shop.ts'

/** Reads the rows below a header, one by one; what it understood goes to its sink as soon as it is complete. */
export type Reader = {
  add(row: number, cells: readonly string[]): void
  /** After the last row. */
  end(): void
}

/** Reads files in which each row is an item of its own. */
export const createRowReader = <Field extends string>(
  rowOf: (row: number, cells: readonly string[]) => Row<Field>,
  sink: Sink,
  read: (row: Row<Field>) => ImportItem,
): Reader => ({
  add: (number, cells) => sink.attempt(number, () => sink.item(read(rowOf(number, cells)))),
  end: () => {},
})

/** Takes what a reader understood, and what it did not. */
export type Sink = {
  item(item: ImportItem): void
  problem(problem: ImportProblem): void
  /** Reads something of a row; a `CellProblem` of it becomes the row's problem. */
  attempt(row: number, read: () => void): void
}

export const createSink = (item: Sink['item'], problem: Sink['problem']): Sink => ({
  item,
  problem,
  attempt(row, read) {
    try {
      read()
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problem({ row, column: error.column, reason: error.message })
    }
  },
})
