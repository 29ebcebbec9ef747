import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CHROMIUM = '/usr/bin/chromium'

/** @returns the browser for the tests, installed from Debian's packages when it is missing and this user may; undefined when there is none */
export function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM']
  if (chosen) return existsSync(chosen) ? chosen : undefined
  if (!existsSync(CHROMIUM)) installFromDebian(['chromium'])
  return existsSync(CHROMIUM) ? CHROMIUM : undefined
}

/** Does nothing where there is no apt or no right to use it. */
export function installFromDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  console.log(`Installing ${packages.join(' ')} from Debian's packages ...`)
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}
