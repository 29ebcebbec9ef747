import { CellProblem } from './cells.ts'
import type { ImportItem, ImportProblem } from './former-shop.ts'

/** Reads the rows below a header, one by one; what it understood goes to its sink as soon as it is complete. */
export type Reader = {
  add(row: number, cells: readonly string[]): void
  /** After the last row. */
  end(): void
}

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
