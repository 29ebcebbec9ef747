CREATE TABLE "review" (
	"id" serial PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"order_id" integer,
	"line" smallint,
	"state" text NOT NULL,
	"stars" smallint NOT NULL,
	"fit" text,
	"words" text NOT NULL,
	"name" text NOT NULL,
	"variant_name" text,
	"answer" text,
	"hidden_reason" text,
	"is_demo" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "review_of_line" UNIQUE("order_id","line"),
	CONSTRAINT "review_state_known" CHECK ("review"."state" in ('waiting', 'published', 'hidden')),
	CONSTRAINT "review_stars_in_scale" CHECK ("review"."stars" between 1 and 5),
	CONSTRAINT "review_fit_known" CHECK ("review"."fit" in ('small', 'true', 'large')),
	CONSTRAINT "review_is_demo_or_bought" CHECK ("review"."is_demo" = ("review"."order_id" is null) and "review"."is_demo" = ("review"."line" is null))
);
--> statement-breakpoint
CREATE TABLE "review_opt_out" (
	"email" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_photo" (
	"file" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"line" smallint NOT NULL,
	"review_id" integer,
	"position" smallint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- `product.rating` and `product.review_count` stay for instances of the release before; a later release removes them.
ALTER TABLE "product" DROP CONSTRAINT "rating_in_scale";--> statement-breakpoint
ALTER TABLE "product" DROP CONSTRAINT "review_count_not_negative";--> statement-breakpoint
ALTER TABLE "picture" DROP CONSTRAINT "picture_kind_known";--> statement-breakpoint
ALTER TABLE "review" ADD CONSTRAINT "review_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review" ADD CONSTRAINT "review_order_id_line_order_line_order_id_position_fk" FOREIGN KEY ("order_id","line") REFERENCES "public"."order_line"("order_id","position") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photo" ADD CONSTRAINT "review_photo_file_picture_file_fk" FOREIGN KEY ("file") REFERENCES "public"."picture"("file") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photo" ADD CONSTRAINT "review_photo_review_id_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."review"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photo" ADD CONSTRAINT "review_photo_order_id_line_order_line_order_id_position_fk" FOREIGN KEY ("order_id","line") REFERENCES "public"."order_line"("order_id","position") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_shown" ON "review" USING btree ("product_id","id") WHERE "review"."state" = 'published';--> statement-breakpoint
CREATE INDEX "review_counted" ON "review" USING btree ("product_id","stars","id","fit","is_demo") WHERE "review"."state" = 'published';--> statement-breakpoint
CREATE INDEX "review_by_state" ON "review" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "review_by_product" ON "review" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "review_photo_order_id_line_index" ON "review_photo" USING btree ("order_id","line");--> statement-breakpoint
CREATE INDEX "review_photo_review_id_index" ON "review_photo" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "review_photo_unused" ON "review_photo" USING btree ("created_at") WHERE "review_photo"."review_id" is null;--> statement-breakpoint
CREATE INDEX "order_step_delivered" ON "order_step" USING btree ("taken_at") WHERE "order_step"."fulfilment_status" = 'delivered';--> statement-breakpoint
ALTER TABLE "picture" ADD CONSTRAINT "picture_kind_known" CHECK ("picture"."kind" in ('product', 'hero', 'drawing', 'printer', 'blank', 'composed', 'customer'));--> statement-breakpoint
-- Ratings are no longer part of what an owner or a file says about a product.
UPDATE "catalog_revision" SET "content" = "content" - 'rating' - 'reviewCount' WHERE "kind" = 'product';--> statement-breakpoint
-- What other areas read of reviews. The rows of a product come from an index alone.
CREATE VIEW product_rating AS
  SELECT product_id, round(avg(stars), 1) AS rating, count(*)::int AS review_count
  FROM review WHERE state = 'published' GROUP BY product_id;
--> statement-breakpoint
CREATE VIEW audit_reviews AS
  SELECT id, order_id, product_id, stars, state, is_demo, created_at FROM review;
--> statement-breakpoint
CREATE TRIGGER review_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON review FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
