import { useQuery } from '@tanstack/react-query'
import { defaultSettings, type SiteSettings } from '#site/settings.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { configQuery } from './queries.ts'

/** The owner's settings, or else their defaults. */
export const siteOf = (config: PublicConfig | undefined): SiteSettings =>
  config ? { ...defaultSettings, ...config.site } : defaultSettings

export const useSite = (): SiteSettings => useQuery({ ...configQuery, select: siteOf }).data ?? defaultSettings
