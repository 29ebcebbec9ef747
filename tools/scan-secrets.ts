import { historyByCommit, secretsIn } from './attacks/secrets.ts'

// Looks through every line that was ever committed, on any branch, for what looks like a key. Exits 1 when it finds one.

const commits = historyByCommit()
const secretsFound = commits.flatMap(({ commit, text }) =>
  secretsIn(text).map(
    ({ kind, index }) => `${commit}: ${kind}, near ${text.slice(0, index).split('\n').at(-1)?.slice(-60)}…`,
  ),
)
for (const one of secretsFound) console.log(one)
console.log(`${commits.length} commits, ${secretsFound.length} that look like a secret`)
process.exit(secretsFound.length > 0 ? 1 : 0)
