import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { data, LoaderFunctionArgs, RouteObject } from 'react-router'
import { queriesContext } from '#web/api/queries.ts'

/** @property module the chunk to preload @property cacheable whether the page is the same for every anonymous visitor */
export type PageHandle = { module: string; cacheable: boolean }

/** The id of the route within the frame that has the owner's bars instead of the shop's. */
export const ADMIN_LAYOUT = 'admin'

/** Loader data for the document and the frame; pages read their own data from the queries. */
export type PageFacts = {
  collection?: string
  /** Decides the colors of a page whose address names no collection. */
  firstProductName?: string
  canonical?: string
  /** The HTTP status of a refusal, which the page explains. */
  failed?: number
}

export type PageRow = { path: string; page: string; cacheable?: boolean; load?: Load }
export type Load = (
  queries: QueryClient,
  request: LoaderFunctionArgs,
) => Promise<PageFacts | ReturnType<typeof data<PageFacts>>>

const empty: Load = () => Promise.resolve({})

/** The default loader of cacheable pages: their address is canonical. */
const staticPages =
  (path: string): Load =>
  () =>
    Promise.resolve({ canonical: path })

/** Pages by their file, as the bundler finds them. */
export type PageChunks = Record<string, () => Promise<Record<string, ComponentType>>>

/** The route of a page, named by its path: server and browser know different lists, and its data must find it in both. */
export const routeOf = (
  chunks: PageChunks,
  { path, page, cacheable = false, load = cacheable ? staticPages(path) : empty }: PageRow,
): RouteObject => {
  const name = page.slice(page.lastIndexOf('/') + 1)
  const handle: PageHandle = { module: `src/web/${page}.tsx`, cacheable }
  return {
    id: path,
    path,
    handle,
    loader: (request) => load(request.context.get(queriesContext), request),
    lazy: async () => {
      const chunk = await chunks[`../${page}.tsx`]?.()
      const Component = chunk?.[name]
      if (!Component) throw new Error(`src/web/${page}.tsx does not export ${name}`)
      return { Component }
    },
  }
}
