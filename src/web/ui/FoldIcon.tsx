import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'

/** Whether a `details` of the class `group` unfolds or folds next. */
export const FoldIcon = ({ className }: { className: string }) => (
  <>
    <Icon name="plus" className={classNames('group-open:hidden', className)} />
    <Icon name="minus" className={classNames('hidden group-open:block', className)} />
  </>
)
