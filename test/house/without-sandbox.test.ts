import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './files.ts'

test('the product type-checks and builds without the sandbox', () => {
  const copy = mkdtempSync(join(tmpdir(), 'pawtelier-product-'))
  try {
    const parts = ['src', 'tools', 'package.json', 'package-lock.json', 'vite.config.ts']
    const settings = ['base', 'pure', 'server', 'web'].map((name) => `tsconfig.${name}.json`)
    for (const part of [...parts, ...settings]) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const run = (program: string, ...args: string[]) =>
      spawnSync(join(ROOT, 'node_modules/.bin', program), args, { cwd: copy, encoding: 'utf8' })
    for (const project of ['pure', 'server', 'web']) {
      const types = run('tsc', '-p', `tsconfig.${project}.json`, '--pretty', 'false')
      expect(types.stdout, project).toBe('')
      expect(types.status).toBe(0)
    }
    const built = run('node', 'tools/build.ts')
    expect(built.status, built.stderr).toBe(0)
    expect(existsSync(join(copy, 'dist/server/render.js'))).toBe(true)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
