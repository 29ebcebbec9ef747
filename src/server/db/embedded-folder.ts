import { join } from 'node:path'

/** The embedded database's folder, which the first start creates. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'pg')
