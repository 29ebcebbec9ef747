import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export type Package = {
  name: string
  version: string
  license: string
  /** In an installation that runs the shop. */
  isProduction: boolean
  hasInstallScript: boolean
  integrity: string | undefined
  /** Where it would come from, when that is not the registry. */
  resolved: string | undefined
}

type Entry = {
  version?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
  integrity?: string
  resolved?: string
}

/** What the lock file says of every package but our own. */
export function lockedPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>
  }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, { version = '', license = '', dev, hasInstallScript, integrity, resolved }]) => ({
      name: place.replace(/^.*node_modules\//, ''),
      version,
      license: license,
      isProduction: !dev,
      hasInstallScript: hasInstallScript ?? false,
      integrity,
      resolved,
    }))
}

/** Licenses under which a shop may use and pass on a package, its own sources staying its own. */
const ofProduction = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'Zlib'],
]
/** Tools that are run and never passed on may also be these; fonts are passed on under theirs. */
const ofDevelopment = [
  ...ofProduction,
  ...['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'CC-BY-4.0', 'CC BY-SA 4.0', 'WTFPL'],
]

/** Whether a package's license, an expression of SPDX, lets us use it where it is used. */
export function isAllowed({ license, isProduction }: Pick<Package, 'license' | 'isProduction'>): boolean {
  const allowed = isProduction ? ofProduction : ofDevelopment
  return license
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)))
}
