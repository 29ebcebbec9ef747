import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export type Package = {
  name: string
  version: string
  license: string
  /** Installed in production. */
  isProduction: boolean
  hasInstallScript: boolean
  integrity: string | undefined
  /** The download URL. */
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

/** Licenses of packages that state them in a file only. */
const ofLicenseFiles: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'saxon-js': 'LicenseRef-Saxonica' }
const IN_FILE = 'SEE LICENSE IN LICENSE.txt'

/** @returns every package in the lock file except this one */
export function lockedPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>
  }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => [place.replace(/^.*node_modules\//, ''), entry] as const)
    .map(([name, { version = '', license: stated = IN_FILE, dev, hasInstallScript, integrity, resolved }]) => ({
      name,
      version,
      license: stated === IN_FILE ? (ofLicenseFiles[name] ?? '') : stated,
      isProduction: !dev,
      hasInstallScript: hasInstallScript ?? false,
      integrity,
      resolved,
    }))
}

/** Licenses that allow use and distribution without publishing our own source. */
const ofProduction = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'Zlib'],
]
/** Also allowed for tools that are run but not distributed; fonts are distributed under their own license. */
const ofDevelopment = [
  ...ofProduction,
  // Of a tool that runs as it comes: free to run, no source.
  'LicenseRef-Saxonica',
  ...['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'PSF-2.0', 'Python-2.0', 'CC-BY-4.0', 'CC BY-SA 4.0', 'WTFPL'],
]

/** Loaded as a library of its own, which the LGPL allows without publishing our source (decision 0087). */
const loadedLibraries = /^@img\/sharp-/

/** Whether a package's license (an SPDX expression) allows our use. */
export function isAllowed({
  name,
  license,
  isProduction,
}: Pick<Package, 'license' | 'isProduction'> & { name?: string }): boolean {
  const allowed = isProduction && !loadedLibraries.test(name ?? '') ? ofProduction : ofDevelopment
  return license
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(' AND ').every((license) => allowed.includes(license)))
}
