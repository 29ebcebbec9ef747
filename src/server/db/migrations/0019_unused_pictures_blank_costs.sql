ALTER TABLE "picture" DROP CONSTRAINT "picture_kind_known";--> statement-breakpoint
ALTER TABLE "blank" ADD COLUMN "image_url" text;--> statement-breakpoint
ALTER TABLE "blank" ADD COLUMN "cost_to_cents" bigint;--> statement-breakpoint
ALTER TABLE "blank" ADD COLUMN "costs_read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "picture" ADD COLUMN "unused_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_draft" ADD COLUMN "copy_plan" jsonb;--> statement-breakpoint
ALTER TABLE "picture" ADD CONSTRAINT "picture_kind_known" CHECK ("picture"."kind" in ('product', 'hero', 'drawing', 'printer', 'blank', 'composed'));
--> statement-breakpoint
-- The printer's number of its visor.
UPDATE product_type SET blank_id = 265 WHERE key = 'visor' AND blank_id = 90001;
--> statement-breakpoint
UPDATE catalog_revision SET content = jsonb_set(content, '{blankId}', '265')
  WHERE kind = 'product_type' AND key = 'visor' AND content -> 'blankId' = '90001';
