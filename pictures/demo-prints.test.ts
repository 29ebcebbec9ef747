import { expect, test } from 'vitest'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { renderOf } from '#domain/pictures/picture-models.ts'
import { demoPrint } from './demo-prints.ts'

test('a close-up looks at a small drawing on the heart side from nearer than at a large one', () => {
  for (const product of demoProducts.filter(({ type }) => type === 't-shirt')) {
    const { placement } = demoPrint(product, Buffer.from(''), '#ffffff')
    const wanted = product.print === 'chest' ? 't-shirt.detail-2' : 't-shirt.detail'
    expect(renderOf('t-shirt', 'detail', product.design, placement), product.name).toBe(wanted)
  }
  const atTheHem = { x: 0.71, y: 0.8, width: 0.3, height: 0.28 }
  expect(renderOf('t-shirt', 'detail', 'any', atTheHem)).toBe('t-shirt.detail')
})
