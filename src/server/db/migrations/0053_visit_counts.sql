CREATE TABLE "visit_count" (
	"day" date NOT NULL,
	"step" text NOT NULL,
	"device" text NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"about" bigint DEFAULT 0 NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "visit_count_day_step_device_source_about_pk" PRIMARY KEY("day","step","device","source","about"),
	CONSTRAINT "visit_count_step_known" CHECK ("visit_count"."step" in ('visit', 'product', 'view', 'checkout', 'priced', 'sold_out_view', 'sold_out_press', 'cart', 'carted')),
	CONSTRAINT "visit_count_device_known" CHECK ("visit_count"."device" in ('phone', 'tablet', 'computer')),
	CONSTRAINT "visit_count_source_known" CHECK ("visit_count"."source" in ('direct', 'search', 'social', 'site', '')),
	CONSTRAINT "visit_count_positive" CHECK ("visit_count"."count" > 0)
);
--> statement-breakpoint
ALTER TABLE "checkout" ADD COLUMN "device" text;--> statement-breakpoint
CREATE INDEX "checkout_by_creation" ON "checkout" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "checkout" ADD CONSTRAINT "checkout_device_known" CHECK ("checkout"."device" in ('phone', 'tablet', 'computer'));