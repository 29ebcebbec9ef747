import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Source files by glob, without tests, with their text. */
export const sources = (...patterns: string[]): { path: string; text: string }[] =>
  globSync(patterns, { cwd: ROOT })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
