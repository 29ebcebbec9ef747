CREATE TABLE "printer_product" (
	"id" bigint PRIMARY KEY NOT NULL,
	"external_id" text,
	"name" text NOT NULL,
	"thumbnail_url" text,
	"variant_count" integer,
	"synced_count" integer,
	"details" jsonb,
	"details_read_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"ignored_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "product_draft" ADD COLUMN "mockups" jsonb;--> statement-breakpoint
ALTER TABLE "product_draft" ADD COLUMN "remark" text;--> statement-breakpoint
CREATE INDEX "printer_product_seen_at_index" ON "printer_product" USING btree ("seen_at");