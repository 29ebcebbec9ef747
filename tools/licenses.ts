import { isAllowed, lockedPackages } from './attacks/packages.ts'

// The license of every package of the lock file, and whether it lets us use the package where we do. Exits 1 when one does not.

const packages = lockedPackages()
for (const [isProduction, title] of [
  [true, 'What the shop is run with'],
  [false, 'What it is built and tested with'],
] as const) {
  const some = packages.filter((one) => one.isProduction === isProduction)
  console.log(`${title}: ${some.length} packages`)
  const byLicense = [...Map.groupBy(some, ({ license }) => license)].toSorted((a, b) => b[1].length - a[1].length)
  for (const [license, ofIt] of byLicense) {
    const names = ofIt.map(({ name, version }) => `${name} ${version}`)
    console.log(`  ${license} (${ofIt.length})${isProduction ? `: ${names.join(', ')}` : ''}`)
  }
  console.log('')
}
const refusedPackages = packages.filter((one) => !isAllowed(one))
for (const { name, license } of refusedPackages) console.log(`not allowed: ${name}, ${license}`)
console.log(`${packages.length} packages, ${refusedPackages.length} not allowed`)
process.exit(refusedPackages.length > 0 ? 1 : 0)
