import { useQuery } from '@tanstack/react-query'
import { use, useEffect, type ReactNode } from 'react'
import { useLocation, useMatches } from 'react-router'
import { house } from '#site/house.ts'
import { spokenAddress, spokenLanguage } from '#shared/language.ts'
import { collectionOfPage } from '#domain/catalog/collections.ts'
import { configQuery } from '#web/api/queries.ts'
import { switchCollection, useSavedCollection } from './current-collection.ts'
import { DocumentContext } from './page-state.ts'
import type { PageFacts } from './page-route.ts'
import { useCollections } from './use-collections.ts'

/** Colors depend on attributes of `html`, the collection's as those of the owner's pages, so the first paint has them. */
export function Document({ isAdmin, children }: { isAdmin: boolean; children: ReactNode }) {
  const { assets, origin } = use(DocumentContext)
  const { pathname } = useLocation()
  const collections = useCollections()
  const { data: config } = useQuery(configQuery)
  const { collection, firstProductName, canonical } = usePageFacts()
  const own = collection ?? collectionOfPage({ pathname, firstProductName }, collections)?.id
  const saved = useSavedCollection()
  const savedTheme = collections.find(({ id }) => id === saved)?.id
  useEffect(() => {
    if (own) switchCollection(own)
  }, [own])
  return (
    <html
      lang={spokenLanguage()}
      data-collection={own ?? savedTheme ?? collections[0]?.id ?? house.id}
      data-collection-by={own ? 'page' : 'visitor'}
      data-admin={isAdmin ? '' : undefined}
      // `applySavedTheme` may change the attribute before hydration.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={house.colors.primary} />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="apple-touch-icon" href="/icons/touch-180.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        {assets.early && (
          <script
            src={assets.early}
            data-app={assets.app}
            data-parts={assets.parts.join(' ')}
            data-collections={collections.map(({ id }) => id).join(' ')}
          />
        )}
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {config && <link rel="stylesheet" href={config.themeSheet} />}
        {canonical && <link rel="canonical" href={`${origin}${spokenAddress(canonical)}`} />}
      </head>
      <body>{children}</body>
    </html>
  )
}

function usePageFacts(): PageFacts {
  const facts = useMatches().at(-1)?.loaderData
  return typeof facts === 'object' && facts !== null ? facts : {}
}
