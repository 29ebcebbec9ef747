import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { receivePicture, servePictures } from '#server/pictures/upload-queue.ts'
import type { Needs } from '#server/shop.ts'
import { addReviewPhoto, readReviewPage, readReviewsOfOrder, removeReview, writeReview } from './reviews.ts'

export async function reviewRoutes(app: App, shop: Needs<'db' | 'clock' | 'config' | 'pictureProcess'>): Promise<void> {
  serve(app, 'reviews', {
    ofProduct: (_, { params, query }) => readReviewPage(shop.db, params.id, { stars: query.stars, after: query.after }),
    ofOrder: async (context, { query }) => ({ lines: await readReviewsOfOrder(shop, context, query) }),
    write: (context, { params, body }) => writeReview(shop, context, params.line, body),
    remove: (context, { params, query }) => removeReview(shop, context, params.line, query),
  })
  await servePictures(app, (uploads) =>
    serve(uploads, 'reviewPhotos', {
      addPhoto: (context, { params, query, body }) =>
        addReviewPhoto(shop, context, { line: params.line, key: query }, (store) =>
          receivePicture(body, store, shop.config.slowClientMs),
        ),
    }),
  )
}
