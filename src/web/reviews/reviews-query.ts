import { query } from '#web/api/queries.ts'

/** @param search the product page's: `stars` and `after`; anything else in them is ignored */
export const reviewsQuery = (productId: number, search: URLSearchParams) => {
  const [stars, after] = [search.get('stars') ?? '', search.get('after') ?? '']
  return query('GET /api/products/:id/reviews', {
    params: { id: productId },
    query: { ...(/^[1-5]$/.test(stars) && { stars }), ...(/^[1-9]\d{0,9}$/.test(after) && { after }) },
  })
}
