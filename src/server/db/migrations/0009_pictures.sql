CREATE TABLE "composition" (
	"id" text PRIMARY KEY NOT NULL,
	"request" jsonb NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "picture" (
	"file" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"alt" text NOT NULL,
	"widths" integer[] NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"drawing" jsonb,
	"source_url" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "picture_sourceUrl_unique" UNIQUE("source_url"),
	CONSTRAINT "picture_kind_known" CHECK ("picture"."kind" in ('product', 'hero', 'drawing', 'printer', 'composed'))
);
--> statement-breakpoint
CREATE TABLE "picture_file" (
	"file" text NOT NULL,
	"width" integer NOT NULL,
	"format" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "picture_file_file_width_format_pk" PRIMARY KEY("file","width","format"),
	CONSTRAINT "picture_file_format_known" CHECK ("picture_file"."format" in ('webp', 'avif', 'png', 'jpg', 'svg'))
);
--> statement-breakpoint
ALTER TABLE "product_picture" ADD COLUMN "alt" text;--> statement-breakpoint
ALTER TABLE "product_picture" ADD COLUMN "avif" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "picture_file" ADD CONSTRAINT "picture_file_file_picture_file_fk" FOREIGN KEY ("file") REFERENCES "public"."picture"("file") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "picture_created_at_file_index" ON "picture" USING btree ("created_at","file");