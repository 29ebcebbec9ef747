import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CHROMIUM = '/usr/bin/chromium'
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** @returns the path of Chromium, installed from Debian's packages if missing and permitted; undefined without one */
export function findChromium(): string | undefined {
  const configured = process.env['CHROMIUM']
  if (configured) return existsSync(configured) ? configured : undefined
  if (!existsSync(CHROMIUM)) installFromDebian(['chromium'])
  return existsSync(CHROMIUM) ? CHROMIUM : undefined
}

/** @returns the path of a Chromium without windows, which tests a third faster; installed in the same way */
export function findHeadlessShell(): string | undefined {
  if (!existsSync(HEADLESS_SHELL)) installFromDebian(['chromium-headless-shell'])
  return existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined
}

/** Does nothing without root or apt. */
export function installFromDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  console.log(`Installing ${packages.join(' ')} from Debian's packages ...`)
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}
