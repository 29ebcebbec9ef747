/** Apart from `paths`, so that the first page's script does not grow. */
export const invoicePaths = {
  admin: '/admin/invoices',
  of: (month: string): string => `/admin/invoices?month=${month}`,
  file: (month: string, layout: 'csv' | 'zip'): string => `/api/admin/invoices/file?month=${month}&layout=${layout}`,
  document: (id: number): string => `/api/admin/invoices/${id}/file`,
  ofCustomer: (id: number): string => `/api/order/invoices/${id}/file`,
} as const
