-- `product_override` and `product.in_file` stay for instances of the release before; a later release removes them.
ALTER TABLE "product" ADD COLUMN "external_id" text;
