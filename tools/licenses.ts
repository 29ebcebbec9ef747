import { isAllowed, lockedPackages } from './attacks/packages.ts'

// The licence of every package of the lock file, and whether it lets us use the package where we do. Exits 1 when one does not.

const packages = lockedPackages()
for (const [isProduction, title] of [
  [true, 'What the shop is run with'],
  [false, 'What it is built and tested with'],
] as const) {
  const some = packages.filter((one) => one.isProduction === isProduction)
  console.log(`${title}: ${some.length} packages`)
  const byLicence = [...Map.groupBy(some, ({ licence }) => licence)].toSorted((a, b) => b[1].length - a[1].length)
  for (const [licence, ofIt] of byLicence) {
    const names = ofIt.map(({ name, version }) => `${name} ${version}`)
    console.log(`  ${licence} (${ofIt.length})${isProduction ? `: ${names.join(', ')}` : ''}`)
  }
  console.log('')
}
const refusedPackages = packages.filter((one) => !isAllowed(one))
for (const { name, licence } of refusedPackages) console.log(`not allowed: ${name}, ${licence}`)
console.log(`${packages.length} packages, ${refusedPackages.length} not allowed`)
process.exit(refusedPackages.length > 0 ? 1 : 0)
