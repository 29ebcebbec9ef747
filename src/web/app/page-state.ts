import type { DehydratedState } from '@tanstack/react-query'
import { createContext } from 'react'
import type { HydrationState } from 'react-router'
import type { PageAssets } from '#contract/page.ts'

/** What the server knew when it rendered, as the JSON block of the page: the browser starts from it and asks nothing twice. */
export type PageState = {
  assets: PageAssets
  origin: string
  router: Pick<HydrationState, 'loaderData' | 'errors'>
  queries: DehydratedState
}

export const STATE_ID = 'state'

type DocumentFacts = { assets: PageAssets; origin: string }

/** The bundle's files, linked in the head, and the shop's own origin for addresses that must be absolute. */
export const DocumentContext = createContext<DocumentFacts>({
  assets: { script: '', styles: [], fonts: [], preloads: [] },
  origin: '',
})
