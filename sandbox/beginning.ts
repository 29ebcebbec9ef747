import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedFolder } from '#server/db/embedded-folder.ts'
import { DEMO } from './demo-life/files.ts'
import { readSaved } from './simulators.ts'

/** What a sandbox begins with. */
type Beginning = {
  /** The simulators' books; undefined: empty ones. */
  books: Buffer | undefined
  /** How far ahead of the machine's time the clock begins, in milliseconds; below zero: behind. */
  aheadMs: number
  /** What the shop's new database is filled with. */
  backup: string | undefined
}

const EMPTY: Beginning = { books: undefined, aheadMs: 0, backup: undefined }

/** Where a sandbox leaves its simulators' books for the next start; undefined in memory. */
const booksFileIn = (dataDir: string): string | undefined =>
  dataDir.startsWith('memory://') ? undefined : join(dataDir, 'sandbox/books.gz')

/**
 * A data folder goes on where it stopped, also its clock; a new one begins with the demo's 90 days, whose last moment is then now.
 * @param isPlain whether a new one begins without: what the demo's days do not fit, such as another database or another catalog
 */
export function chooseBeginning(dataDir: string, isPlain: boolean): Beginning {
  const file = booksFileIn(dataDir)
  if (file !== undefined && existsSync(file))
    return { books: readFileSync(file), aheadMs: readAhead(dataDir), backup: undefined }
  if (isPlain || (file !== undefined && existsSync(embeddedFolder(dataDir)))) return EMPTY
  const books = readFileSync(DEMO.books)
  return { books, aheadMs: readSaved(books).at.getTime() - Date.now(), backup: DEMO.backup }
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
