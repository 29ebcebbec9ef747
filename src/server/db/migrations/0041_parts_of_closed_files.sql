ALTER TABLE "closed_file" ADD COLUMN "part" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "closed_file" DROP CONSTRAINT "closed_file_closing_name_pk";--> statement-breakpoint
ALTER TABLE "closed_file" ADD CONSTRAINT "closed_file_closing_name_part_pk" PRIMARY KEY("closing","name","part");
