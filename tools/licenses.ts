import { isAllowed, lockedPackages } from './attacks/packages.ts'

// Lists the license of every package in the lock file. Exits 1 when a license does not allow our use of the package.

const packages = lockedPackages()
for (const [isProduction, title] of [
  [true, 'Used by the running shop'],
  [false, 'Used to build and test'],
] as const) {
  const some = packages.filter((candidate) => candidate.isProduction === isProduction)
  console.log(`${title}: ${some.length} packages`)
  const byLicense = [...Map.groupBy(some, ({ license }) => license)].toSorted((a, b) => b[1].length - a[1].length)
  for (const [license, licensed] of byLicense) {
    const names = licensed.map(({ name, version }) => `${name} ${version}`)
    console.log(`  ${license} (${licensed.length})${isProduction ? `: ${names.join(', ')}` : ''}`)
  }
  console.log('')
}
const refusedPackages = packages.filter((candidate) => !isAllowed(candidate))
for (const { name, license } of refusedPackages) console.log(`not allowed: ${name}, ${license}`)
console.log(`${packages.length} packages, ${refusedPackages.length} not allowed`)
process.exit(refusedPackages.length > 0 ? 1 : 0)
