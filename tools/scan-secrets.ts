import { historyByCommit, secretsIn } from './attacks/secrets.ts'

// Searches every line ever committed, on any branch, for keys. Exits 1 when it finds one.

const commits = historyByCommit()
const secretsFound = commits.flatMap(({ commit, text }) =>
  secretsIn(text).map(
    ({ kind, index }) => `${commit}: ${kind}, near ${text.slice(0, index).split('\n').at(-1)?.slice(-60)}…`,
  ),
)
for (const secret of secretsFound) console.log(secret)
console.log(`${commits.length} commits, ${secretsFound.length} possible secrets`)
process.exit(secretsFound.length > 0 ? 1 : 0)
