import { PGlite } from '@electric-sql/pglite'
import { assert } from '#shared/assert.ts'

// A process of its own: creates an empty database in the folder of its one argument.

const [, , folder] = process.argv
assert(folder, 'a folder')
const lite = await PGlite.create(folder)
await lite.close()
// PGlite keeps the process alive.
process.exit(0)
