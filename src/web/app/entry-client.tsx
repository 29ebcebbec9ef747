import '#web/theme/styles.css'
import { addressIn, isLanguage, speak, splitLanguage } from '#shared/language.ts'
import { loadWords } from '#words/load.ts'
import { hydrate } from '@tanstack/react-query'
import { startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterContextProvider, RouterProvider } from 'react-router'
import { createApi, createFetchTransport } from '#web/api/client.ts'
import { createQueries, queriesContext } from '#web/api/queries.ts'
import { notifyNewSession } from '#web/cart/new-session.ts'
import { watchPresses } from '#web/ui/after-press.ts'
import { HYDRATED_EVENT } from './before-hydration.ts'
import { restoreCollection } from './current-collection.ts'
import { navigateByLink } from './link-navigation.ts'
import { LinkHandlerContext } from './Link.tsx'
import { STATE_ID, type PageState } from './page-state.ts'
import { Providers } from './Providers.tsx'
import type { PageHandle } from './page-route.ts'
import { FRAME_ROUTE, isStaffPath, routesWith, shopRoutes } from './routes.tsx'

/** Splits startup into tasks: in one task, a slow phone would not respond. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

// This module may run before the document is complete.
if (document.readyState === 'loading')
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))

const { lang } = document.documentElement
const language = isLanguage(lang) ? lang : 'en'
if (language !== 'en') await loadWords(language)
speak(language)

restoreCollection()
watchPresses(document)
await nextTask()
const state = JSON.parse(document.getElementById(STATE_ID)?.textContent ?? '') as PageState
const api = createApi(createFetchTransport(notifyNewSession))
const queries = createQueries(api)
hydrate(queries, state.queries)

const loadStaffRoutes = async () => (await import('./staff-routes.ts')).staffRoutes
const pages = isStaffPath(splitLanguage(location.pathname).path)
  ? [...shopRoutes, ...(await loadStaffRoutes())]
  : shopRoutes

// The page's chunk must be loaded before hydration, or React discards the server's markup. The server names the modules, which
// saves matching the address against all routes.
for (const route of pages.flatMap((page) => [page, page.children ?? []].flat())) {
  const { module = '' } = (route.handle ?? {}) as Partial<PageHandle>
  if (typeof route.lazy !== 'function' || !state.modules.includes(module)) continue
  Object.assign(route, await route.lazy())
  delete route.lazy
}

await nextTask()
const router = createBrowserRouter(routesWith(pages), {
  basename: addressIn(language, '/'),
  hydrationData: state.router,
  patchRoutesOnNavigation: async ({ path, patch }) => {
    if (isStaffPath(path)) patch(FRAME_ROUTE, await loadStaffRoutes())
  },
  getContext: () => new RouterContextProvider(new Map([[queriesContext, queries]])),
})
await nextTask()

function HydrationSignal({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.dispatchEvent(new Event(HYDRATED_EVENT))
    void import('#web/visits/report.ts')
  }, [])
  return children
}

// A transition hydrates in small steps.
startTransition(() => {
  hydrateRoot(
    document,
    <Providers api={api} queries={queries} assets={state.assets} origin={state.origin} year={state.year}>
      <LinkHandlerContext value={navigateByLink(router)}>
        <HydrationSignal>
          <RouterProvider router={router} />
        </HydrationSignal>
      </LinkHandlerContext>
    </Providers>,
  )
})
