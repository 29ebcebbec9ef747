import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** @returns the ids at the end of a title: `… (S01, S02)` */
export const idsIn = (title: string): string[] => {
  const [, ids = ''] = /\(((?:(?:[A-Z]\d\d|FUZZ|CANARY)(?:, )?)+)\)$/.exec(title) ?? []
  return ids.split(', ').filter(Boolean)
}

/** @returns test files by the ids in their titles, read as text without running anything */
export function filesByAttack(): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const file of globSync(['test/**/*.{test,e2e}.ts', 'src/**/*.test.{ts,tsx}'], { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [title] of text.matchAll(/\((?:(?:[A-Z]\d\d|FUZZ|CANARY)(?:, )?)+\)(?=['`])/g))
      for (const id of idsIn(title)) files.set(id, (files.get(id) ?? new Set()).add(file))
  }
  return files
}
