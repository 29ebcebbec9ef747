import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a sandbox begins with. */
type Beginning = {
  /** The simulators' books; undefined: empty ones. */
  books: Buffer | undefined
  /** How far ahead of the machine's time the clock begins, in milliseconds; below zero: behind. */
  aheadMs: number
}

/** Where a sandbox leaves its simulators' books for the next start; undefined in memory. */
const booksFileIn = (dataDir: string): string | undefined =>
  dataDir.startsWith('memory://') ? undefined : join(dataDir, 'sandbox/books.gz')

/** A data folder goes on where it stopped, also its clock; a new one begins with nothing. */
export function chooseBeginning(dataDir: string): Beginning {
  const file = booksFileIn(dataDir)
  if (file === undefined || !existsSync(file)) return { books: undefined, aheadMs: 0 }
  return { books: readFileSync(file), aheadMs: readAhead(dataDir) }
}

/** What the clock's file says, which is also right after a crash; time that has passed since counts. */
function readAhead(dataDir: string): number {
  const file = join(dataDir, 'sandbox/clock')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0
}

/** Complete or not at all: the machine may stop meanwhile. */
export function saveBooks(dataDir: string, books: Buffer): void {
  const file = booksFileIn(dataDir)
  if (file === undefined) return
  writeFileSync(`${file}.part`, books)
  renameSync(`${file}.part`, file)
}
