ALTER TABLE "catalog_revision" DROP CONSTRAINT "catalog_revision_kind_known";--> statement-breakpoint
ALTER TABLE "former_picture" ADD COLUMN "color" text;--> statement-breakpoint
ALTER TABLE "search_miss" ADD COLUMN "dismissed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "variant" ADD COLUMN "price_set_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "variant" ADD COLUMN "price_refusal" text;--> statement-breakpoint
CREATE INDEX "variant_price_unwritten" ON "variant" USING btree ("product_id") WHERE "variant"."price_set_at" is not null;--> statement-breakpoint
ALTER TABLE "catalog_revision" ADD CONSTRAINT "catalog_revision_kind_known" CHECK ("catalog_revision"."kind" in ('product', 'collection', 'product_type', 'prices'));