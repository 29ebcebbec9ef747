import { useQuery } from '@tanstack/react-query'
import { defaultPageSettings, type PageSettings } from '#site/settings.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { configQuery } from './queries.ts'

/** The owner's settings, or else their defaults. */
export const siteOf = (config: PublicConfig | undefined): PageSettings =>
  config ? { ...defaultPageSettings, ...config.site } : defaultPageSettings

export const useSite = (): PageSettings => useQuery({ ...configQuery, select: siteOf }).data ?? defaultPageSettings
