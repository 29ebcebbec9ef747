import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminProduct } from '#contract/admin-products.ts'
import { shownViews, type ShownView } from '#domain/pictures/picture-models.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { productPicturesQuery } from './admin-queries.ts'
import { PictureList, type ListedPicture } from './PictureList.tsx'
import { PictureUpload } from './PictureUpload.tsx'
import { useChange } from './use-action.ts'

const viewOf = (view: string): ShownView => shownViews.find((known) => known === view) ?? 'front'

/** A product's pictures: add, describe, order, remove. Shoppers see them when they are saved. */
export function ProductPictures({ product }: { product: AdminProduct }) {
  const api = useApi()
  const change = useChange()
  const { data } = useQuery(productPicturesQuery(product.id))
  const [edited, setEdited] = useState<ListedPicture[]>()
  if (!data) return null
  const pictures = edited ?? data.pictures
  const save = async () => {
    const body = {
      version: data.version,
      pictures: pictures.map(({ file, alt, color, view }) => ({ file, alt, color, view: viewOf(view) })),
    }
    await change(() => api('PUT /api/admin/products/:id/pictures', { params: { id: product.id }, body }))
    setEdited(undefined)
  }
  return (
    <section aria-label={`Pictures of ${product.name}`} className="mt-8 grid gap-4">
      <h3 className="text-lg font-semibold">Pictures</h3>
      <ApiForm send={save} aria-label={`Order of pictures of ${product.name}`} className="grid gap-4">
        <PictureList pictures={pictures} colors={data.colors} onChange={setEdited} />
        <FormNotice />
        <div>
          <SubmitButton variant="outline">Save pictures</SubmitButton>
        </div>
      </ApiForm>
      <PictureUpload
        kind="product"
        label="Add a picture"
        onPicture={({ file, src, alt }) =>
          setEdited([...pictures.filter((one) => one.file !== file), { file, src, alt, color: null, view: 'front' }])
        }
      />
    </section>
  )
}
