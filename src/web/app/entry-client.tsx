import '#web/theme/styles.css'
import 'virtual:themes.css'
import { hydrate } from '@tanstack/react-query'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes, RouterContextProvider, RouterProvider } from 'react-router'
import { createApi, fetchSend } from '#web/api/client.ts'
import { createQueries, queriesContext } from '#web/api/queries.ts'
import { sessionBegan } from '#web/cart/session-began.ts'
import { AWAKE } from './early.ts'
import { restoreCollection } from './current-collection.ts'
import { STATE_ID, type PageState } from './page-state.ts'
import { Providers } from './Providers.tsx'
import { routes } from './routes.tsx'

restoreCollection()
const state = JSON.parse(document.getElementById(STATE_ID)?.textContent ?? '') as PageState
const api = createApi(fetchSend(sessionBegan))
const queries = createQueries(api)
hydrate(queries, state.queries)

// The page's own chunk has to be there before React looks at the server's markup, or it would throw the markup away.
for (const { route } of matchRoutes(routes, location) ?? []) {
  if (typeof route.lazy !== 'function') continue
  Object.assign(route, await route.lazy())
  delete route.lazy
}

const router = createBrowserRouter(routes, {
  hydrationData: state.router,
  getContext: () => new RouterContextProvider(new Map([[queriesContext, queries]])),
})
// In small steps, between which the page answers; a press takes what it needs at once.
startTransition(() => {
  hydrateRoot(
    document,
    <Providers api={api} queries={queries} assets={state.assets} origin={state.origin} year={state.year}>
      <RouterProvider router={router} />
    </Providers>,
  )
})
document.dispatchEvent(new Event(AWAKE))
