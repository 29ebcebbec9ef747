import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { listBlanks, readBlankPicture, showBlank } from './blanks.ts'
import { readBlanksLater } from './jobs.ts'

export function blankRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'printful' | 'pictureProcess'>): void {
  serve(app, 'adminBlanks', {
    list: (_, { query }) => listBlanks(shop, query),
    show: (_, { params }) => showBlank(shop, params.id),
    picture: (_, { params }) => readBlankPicture(shop, params.id),
    read: async () => {
      await readBlanksLater(shop)
      return { done: 'The printer’s catalog is being read. New blanks show in a minute.' }
    },
  })
}
