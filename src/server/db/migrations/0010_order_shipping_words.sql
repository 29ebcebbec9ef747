ALTER TABLE "shop_order" ADD COLUMN "shipping_method" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "shipping_surcharges" jsonb DEFAULT '[]'::jsonb NOT NULL;