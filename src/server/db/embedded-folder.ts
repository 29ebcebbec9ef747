import { join } from 'node:path'

/** Where in the data folder the embedded database lies, from the first start on. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'pg')
