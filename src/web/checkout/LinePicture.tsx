import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { classNames } from '#web/ui/class-names.ts'

type Props = { src: string | null; size?: string }

/** Without alternative text: the product's name is beside it. @param size as classes */
export const LinePicture = ({ src, size = 'size-18' }: Props) => (
  <img
    src={src || DEFAULT_PICTURE}
    width={112}
    height={112}
    alt=""
    decoding="async"
    className={classNames('plate shrink-0 rounded-card object-cover', size)}
  />
)
